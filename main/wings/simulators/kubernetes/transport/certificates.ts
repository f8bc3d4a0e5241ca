import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface CertifiedKey {
  readonly certificate: string
  readonly key: string
}

/** The TLS material of one simulated API server: its authority, server certificate and administrator certificate. */
export interface Certificates {
  readonly authority: string
  readonly server: CertifiedKey
  readonly client: CertifiedKey
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
// Wide enough for any test clock and for a laptop whose clock is wrong; the keys live as long as the process.
const VALIDITY = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'))

interface Subject {
  readonly commonName: string
  readonly organization: string | null
}

/** Makes an authority, a server and a client certificate (RFC 5280). Node does not write certificates, and @peculiar/x509 would bring 20 packages and 640 kB. */
export function createCertificates(user: string, names: readonly string[] = []): Certificates {
  const authority: Subject = { commonName: 'lockkeeper-demo-ca', organization: null }
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const usage = (bits: number): Buffer => extension('2.5.29.15', der(0x03, Buffer.from([unusedBits(bits), bits])))
  const issue = (subject: Subject, extensions: readonly Buffer[]): CertifiedKey => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const body = certificateBody(subject, authority, keys.publicKey, extensions)
    return { certificate: certificatePem(body, authorityKeys.privateKey), key: keyPem(keys.privateKey) }
  }
  const root = certificateBody(authority, authority, authorityKeys.publicKey, [
    extension('2.5.29.19', sequence(TRUE)),
    usage(KEY_CERT_SIGN),
  ])
  return {
    authority: certificatePem(root, authorityKeys.privateKey),
    server: issue({ commonName: 'lockkeeper-demo-apiserver', organization: null }, [
      usage(DIGITAL_SIGNATURE),
      extendedUsage('1.3.6.1.5.5.7.3.1'),
      extension(
        '2.5.29.17',
        sequence(
          ...['localhost', ...names].map(name => der(0x82, Buffer.from(name))),
          der(0x87, Buffer.from([127, 0, 0, 1])),
        ),
      ),
    ]),
    client: issue({ commonName: user, organization: 'system:masters' }, [
      usage(DIGITAL_SIGNATURE),
      extendedUsage('1.3.6.1.5.5.7.3.2'),
    ]),
  }
}

const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04

function unusedBits(bits: number): number {
  return bits === DIGITAL_SIGNATURE ? 7 : 2
}

function certificateBody(
  subject: Subject,
  issuer: Subject,
  publicKey: KeyObject,
  extensions: readonly Buffer[],
): Buffer {
  // The first byte keeps the serial number positive and without leading zeros.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)])
  return sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    VALIDITY,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
}

function nameOf(subject: Subject): Buffer {
  const part = (oid: string, text: string): Buffer => setOf(sequence(objectIdentifier(oid), utf8(text)))
  return sequence(
    ...(subject.organization === null ? [] : [part('2.5.4.10', subject.organization)]),
    part('2.5.4.3', subject.commonName),
  )
}

/** Makes a critical extension; RFC 5280 requires this for key usage and basic constraints. */
function extension(oid: string, value: Buffer): Buffer {
  const critical = oid === '2.5.29.15' || oid === '2.5.29.19'
  return sequence(objectIdentifier(oid), ...(critical ? [TRUE] : []), octetString(value))
}

function extendedUsage(oid: string): Buffer {
  return extension('2.5.29.37', sequence(objectIdentifier(oid)))
}

function certificatePem(body: Buffer, issuerKey: KeyObject): string {
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, issuerKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Writes one DER element: tag, length, content (ITU-T X.690). */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function sequence(...elements: readonly Uint8Array[]): Buffer {
  return der(0x30, ...elements)
}

function setOf(element: Uint8Array): Buffer {
  return der(0x31, element)
}

/** Writes a non-negative INTEGER from big-endian bytes. */
function integer(bytes: Uint8Array): Buffer {
  const [first = 0] = bytes
  return der(0x02, first > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** Writes an OBJECT IDENTIFIER from its dotted form. */
function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text))
}

/** Writes a UTCTime such as `491231235959Z`. */
function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text, 'ascii'))
}

function bitString(bytes: Uint8Array): Buffer {
  return der(0x03, Buffer.from([0]), bytes)
}

function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes)
}

const TRUE: Buffer = der(0x01, Buffer.from([0xff]))

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff])
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
