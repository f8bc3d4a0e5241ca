import { generateKeyPairSync } from 'node:crypto'

/** Made-up secrets in the shapes that clouds really use; whatever of them is found in an output is a leak. */
export const PASSWORD = 'S3cr3t-p@ss/w0rd"x'
export const PLAIN_PASSWORD = 'korrektpferd'
export const FERNET =
  'gAAAAABnP1sWv2m3kQ8aXJ0Zt5bYcNqLr7uHdEoKfPxGjIwSyTzMnVhBlCeDpOgRaUiWkFsQtXvJ4d2h6e8u0m1n3b5v7c9x-_'
export const JWT =
  'eyJhbGciOiJSUzI1NiIsImtpZCI6IlhZWiJ9.eyJpc3MiOiJrdWJlcm5ldGVzL3NlcnZpY2VhY2NvdW50In0.c2lnbmF0dXJlLWJ5dGVzLWhlcmU'
export const OPAQUE_TOKEN = '31ada4ee-adec-460c-809a-9e56ceb75269'
export const APP_SECRET = 'fRZ1iC0wM3aQx9pLs7vTn2bYd8hKj4eG'

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

/** A real private key, made for this run. */
export const PRIVATE_KEY = pair.privateKey
/** Stands for a certificate: the same armour and base64. */
export const CERTIFICATE = pair.publicKey.replaceAll('PUBLIC KEY', 'CERTIFICATE')

/** Whatever must not be seen of these: whole values, and every line of the PEM blocks as it is and in base64 again. */
const NEEDLES: readonly string[] = [
  PASSWORD,
  JSON.stringify(PASSWORD).slice(1, -1),
  PLAIN_PASSWORD,
  FERNET,
  FERNET.slice(20, 60),
  JWT,
  JWT.slice(-24),
  OPAQUE_TOKEN,
  APP_SECRET,
  ...[PRIVATE_KEY, CERTIFICATE].flatMap(pem => [
    ...pem.split('\n').filter(line => line.length > 30 && !line.startsWith('-----')),
    Buffer.from(pem).toString('base64').slice(80, 150),
  ]),
]

/** The needles found in a text. */
export function leaksIn(text: string): readonly string[] {
  return NEEDLES.filter(needle => text.includes(needle))
}
