import { createHash, createPublicKey, verify } from 'node:crypto'

/** The key of an installation. The private key stays with the implementation. */
export interface Signer {
  /** Ed25519, SubjectPublicKeyInfo (DER) in base64. */
  readonly publicKey: string
  readonly fingerprint: string
  sign(text: string): string
}

/** A key in short, to read out or write down: 32 hexadecimal digits of the SHA-256 of the public key, in groups of four. */
export function fingerprintOf(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
  return (hash.slice(0, 32).match(/.{4}/g) ?? []).join('-')
}

/** Whether two fingerprints are of the same key, in any spelling. */
export function isSameFingerprint(a: string, b: string): boolean {
  const digits = (text: string) => text.toLowerCase().replaceAll(/[^0-9a-f]/g, '')
  return digits(a).length === 32 && digits(a) === digits(b)
}

/** Whether this key signed a text. An invalid key or signature gives false. */
export function signatureHolds(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

export function headText(head: { readonly seq: number; readonly hash: string }): string {
  return `lockkeeper-journal-head/1\n${head.seq}\n${head.hash}\n`
}
