/** Detects a certificate, key or token pasted instead of its path, so that no message repeats it. Only for a path without a file. */
export function isContents(path: string): boolean {
  return /[\n\r]|-----|LS0tLS1|\beyJ[\w-]{5,}\.|.{300}/.test(path) || isOpaqueToken(path)
}

/** Tokens of OpenShift, Rancher, kubeadm and the like are shorter nowhere. */
const SHORTEST_TOKEN = 16
/** Whether a text is more likely a token than the path of a file: it begins as no path does, has no ending, and is not made of words and numbers. */
function isOpaqueToken(text: string): boolean {
  const value = text.trim()
  if (value.length < SHORTEST_TOKEN || !/^[\w\-.~+/=:]+$/.test(value)) return false
  if (/^(\.{0,2}\/|~\/|[A-Za-z]:)[^/]*[/\\]/.test(value) || /^\.{1,2}\//.test(value)) return false
  if (/\.(token|txt|pem|crt|cer|cert|key|jwt|json|ya?ml|conf|b64)$/i.test(value)) return false
  return value.split(/[^A-Za-z0-9]+/).some(part => !isWord(part))
}

/** `token`, `2026`, `cmp01`, `accountToken`: what people and programs make names of; a word is hardly longer than 20 letters. */
function isWord(part: string): boolean {
  return /^([A-Z]{1,20}|[A-Z]?[a-z]{1,20}([A-Z][a-z]{2,20}){0,4})?\d{0,4}$/.test(part)
}
