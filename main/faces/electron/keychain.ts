import type { SafeStorage } from 'electron'
import type { Face } from '../../api/face.ts'

/** Encrypts stored secrets with the desktop's keychain; null without one. Linux without a keyring offers `basic_text`, whose password is in Electron's source: no protection, so a file that only this user can read is used instead. */
export function keychainOf(storage: SafeStorage, platform: string): Face['secrets'] {
  const backend = platform === 'linux' ? storage.getSelectedStorageBackend() : null
  if (!storage.isEncryptionAvailable() || backend === 'basic_text' || backend === 'unknown') return null
  return {
    words: WORDS[platform] ?? `the keyring of this desktop (${backend ?? platform})`,
    seal: text => {
      try {
        return storage.encryptString(text).toString('base64')
      } catch {
        return null
      }
    },
    open: sealed => {
      try {
        return storage.decryptString(Buffer.from(sealed, 'base64'))
      } catch {
        return null
      }
    },
  }
}

const WORDS: Readonly<Record<string, string>> = {
  darwin: 'the Keychain of macOS',
  win32: 'the data protection of Windows',
}
