/** Protects secrets that are kept on disk, where the face has a keychain for that (Electron's safeStorage). */
export interface SecretBox {
  /** Protects a text; null when the keychain does not do it now, and then nothing is kept. */
  seal(text: string): string | null
  /** The text again; null when it cannot be opened: sealed by another face, damaged, or the keychain is locked. */
  open(sealed: string): string | null
  /** What protects them, for the operator: `the login keyring of this desktop (gnome-libsecret)`. */
  readonly words: string
}
