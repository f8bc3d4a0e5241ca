/** Protects secrets that are kept on disk, where the face has a keychain for that (Electron's safeStorage). */
export interface SecretBox {
  /** Protects a text; null when the keychain does not do it now, and then nothing is kept. */
  seal(text: string): string | null
  /** The text again; null when it cannot be opened: sealed by another face, damaged, or the keychain is locked. */
  open(sealed: string): string | null
  /** What protects them, for the operator: `the login keyring of this desktop (gnome-libsecret)`. */
  readonly words: string
}

/** Begins a file that a keychain sealed, so that a face without one does not take it for the secret. */
const SEALED = 'sealed '

/** A secret as it is kept in a file: sealed where the face has a keychain. Null: that does not do it now. */
export function sealedText(secret: string, box: SecretBox | null): string | null {
  if (box === null) return secret
  const body = box.seal(secret)
  return body === null ? null : `${SEALED}${body}`
}

/** Whether a kept text was sealed. */
export function isSealedText(text: string): boolean {
  return text.startsWith(SEALED)
}

/** The secret in a kept text, sealed or open; null: it was sealed, and this face cannot open it. */
export function secretIn(text: string, box: SecretBox | null): string | null {
  return isSealedText(text) ? (box?.open(text.slice(SEALED.length)) ?? null) : text
}
