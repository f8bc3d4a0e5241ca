/** Detects a certificate, key or token pasted instead of its path, raw or in base64, so that no message repeats it. */
export function isContents(path: string): boolean {
  return /[\n\r]|-----|LS0tLS1|\beyJ[\w-]{5,}\.|.{300}/.test(path)
}
