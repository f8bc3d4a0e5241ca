/**
 * Signs that are not seen, or make others be seen as they are not: controls (C0 but line break and tab, C1), direction marks and overrides, zero
 * width, line and paragraph separators, tags, halves of pairs. Names with them come from owners of instances, from clouds and from people.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/gu

/** Text for people in which what is not seen is written out: `vm\u{202e}gnp`. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, sign => `\\u{${codeOf(sign).toString(16)}}`)
}

/** JSON in which what is not seen is escaped in JSON's own way, so that the value stays the same. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, sign =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0
}
