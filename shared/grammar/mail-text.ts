/** A mail as text, with its headers. Addresses are plain and already checked. */
interface Mail {
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly at: string
  /** Unique; null: nobody sends it from here. */
  readonly id: string | null
}

/** A mail (RFC 5322) to send or store: one that nobody sends from here is marked as a draft. */
export function mailText({ from, to, subject, text, at, id }: Mail): string {
  return [
    ...(from === null ? [] : [`From: ${oneLine(from)}`]),
    ...(to.length === 0 ? [] : [`To: ${to.map(oneLine).join(',\r\n ')}`]),
    `Subject: ${encodedWords(subject)}`,
    `Date: ${mailDate(at)}`,
    ...(id === null ? ['X-Unsent: 1'] : [`Message-ID: <${oneLine(id)}>`]),
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64(text.replaceAll(/\r\n?|\n/g, '\r\n')).match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/[^\u0021-\u007e]/g, '')
}

/** `Sun, 22 Nov 2026 21:00:00 +0000`. */
function mailDate(at: string): string {
  return new Date(at).toUTCString().replace(/GMT$/, '+0000')
}

/** A text as encoded words (RFC 2047), each short and never split within a character: no title can start a new header. */
function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const sign of text) {
    if (utf8(word + sign).length > 45) {
      words.push(word)
      word = ''
    }
    word += sign
  }
  return [...words, word].map(each => `=?utf-8?B?${base64(each)}?=`).join('\r\n ')
}

/** UTF-8 of a text; invalid characters become U+FFFD. */
function utf8(text: string): Uint8Array {
  const octets: number[] = []
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0xfffd
    const safe = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code
    if (safe < 0x80) octets.push(safe)
    else if (safe < 0x800) octets.push(0xc0 | (safe >> 6), 0x80 | (safe & 63))
    else if (safe < 0x10000) octets.push(0xe0 | (safe >> 12), 0x80 | ((safe >> 6) & 63), 0x80 | (safe & 63))
    else octets.push(0xf0 | (safe >> 18), 0x80 | ((safe >> 12) & 63), 0x80 | ((safe >> 6) & 63), 0x80 | (safe & 63))
  }
  return Uint8Array.from(octets)
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function base64(text: string): string {
  const octets = utf8(text)
  const parts: string[] = []
  for (let at = 0; at < octets.length; at += 3) {
    const [one = 0, two, three] = octets.subarray(at, at + 3)
    const bits = (one << 16) | ((two ?? 0) << 8) | (three ?? 0)
    const sign = (shift: number) => SIGNS[(bits >> shift) & 63] ?? ''
    parts.push(sign(18), sign(12), two === undefined ? '=' : sign(6), three === undefined ? '=' : sign(0))
  }
  return parts.join('')
}
