/** Encrypts stored secrets, if the face has a keychain (Electron's safeStorage). */
export interface SecretBox {
  /** Encrypts a text; null if the keychain cannot do so now. Then nothing is stored. */
  seal(text: string): string | null
  /** Decrypts a text; null if it is damaged, was sealed by another face, or the keychain is locked. */
  open(sealed: string): string | null
  readonly words: string
}

/** Prefix of a sealed file, so that a face without a keychain does not use it as the secret. */
const SEALED = 'sealed '

/** The text to store: sealed if the face has a keychain. Null if the keychain cannot do so now. */
export function sealedText(secret: string, box: SecretBox | null): string | null {
  if (box === null) return secret
  const body = box.seal(secret)
  return body === null ? null : `${SEALED}${body}`
}

export function isSealedText(text: string): boolean {
  return text.startsWith(SEALED)
}

/** The secret in a stored text, sealed or not; null if it is sealed, and this face cannot open it. */
export function secretIn(text: string, box: SecretBox | null): string | null {
  return isSealedText(text) ? (box?.open(text.slice(SEALED.length)) ?? null) : text
}
