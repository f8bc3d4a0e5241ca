import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, linkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { readPrivateFile, removeFile, writePrivateFile } from '../files/private-file.ts'
import { fingerprintOf, type Signer } from './signature.ts'

/** The key of this installation (Ed25519), created at first use: `installation-key.pem` in the data directory, readable by this user only, shared by all faces. An existing key is never replaced, because earlier signatures could not be verified then. */
export function openInstallationKey(directory: string): Result<Signer> {
  const path = join(directory, FILE)
  const read = readPrivateFile(path)
  if (!read.ok) return read
  if (read.value !== null) return signerFrom(read.value, path)
  const made = make(path)
  if (!made.ok) return made
  // If two processes created a key, both use the one that was stored.
  const kept = readPrivateFile(path)
  return kept.ok ? signerFrom(kept.value ?? '', path) : kept
}

export function hasInstallationKey(directory: string): boolean {
  return existsSync(join(directory, FILE))
}

const FILE = 'installation-key.pem'

function make(path: string): Result<void> {
  const fresh = `${path}.${process.pid}`
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const written = writePrivateFile(fresh, String(pem))
  if (!written.ok) return written
  try {
    linkSync(fresh, path)
    return ok(undefined)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return ok(undefined)
    return failed(refusal('bad-input', because('InstallationKeyNotMade', { path }), { target: path }))
  } finally {
    removeFile(fresh)
  }
}

function signerFrom(pem: string, path: string): Result<Signer> {
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key')
  } catch {
    // The message contains nothing of the file, which may be most of a key.
    return failed(refusal('damaged', because('InstallationKeyStrange', { path }), { target: path }))
  }
  if ((statSync(path).mode & 0o077) !== 0 && process.platform !== 'win32') {
    return failed(refusal('damaged', because('InstallationKeyExposed', { path }), { target: path }))
  }
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  return ok({
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    sign: text => sign(null, Buffer.from(text, 'utf8'), key).toString('base64'),
  })
}
