/** Invisible or misleading: controls except line break and tab, direction marks, zero width, separators, tags, halves of surrogate pairs. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/gu

/** Invisible characters are written out: `vm\u{202e}gnp`. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, sign => `\\u{${codeOf(sign).toString(16)}}`)
}

/** As JSON escapes, so that the value is unchanged. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, sign =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0
}
