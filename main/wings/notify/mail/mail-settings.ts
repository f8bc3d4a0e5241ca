import { join } from 'node:path'
import { MailSettings, whyNotMailed } from '../../../../shared/domain/mail.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { readPrivateFile, writePrivateFile } from '../../../platform/files/private-file.ts'
import { type SecretBox, sealedText, secretIn } from '../../../platform/files/secret-box.ts'
import { openStoredList } from '../../../platform/files/stored-list.ts'

/** The mail settings in the data directory; the password is a separate file, sealed if the face has a keychain. */
export interface MailStore {
  /** Null if mail is not set up. */
  show(): Result<{ readonly settings: MailSettings; readonly hasPassword: boolean } | null>
  /** `password`: null keeps the stored one, an empty one removes it. A stored password is used only for the host that it was given for. */
  change(settings: MailSettings, password: string | null): Result<void>
  /** Null if none is stored. */
  password(): Result<string | null>
}

export function openMailStore(
  directory: string,
  box: SecretBox | null,
  registerSecret: (secret: string) => void,
): MailStore {
  const stored = openStoredList(directory, {
    fileName: 'mail.json',
    listName: 'mail',
    format: 1,
    item: MailSettings,
    keyOf: () => 'mail',
  })
  const path = join(directory, 'mail-password')
  const show: MailStore['show'] = () => {
    const read = stored.read()
    if (!read.ok) return read
    const [settings] = read.value
    if (settings === undefined) return ok(null)
    const kept = readPrivateFile(path)
    return kept.ok ? ok({ settings, hasPassword: (kept.value ?? '') !== '' }) : kept
  }
  return {
    show,
    change: (settings, password) => {
      const refused = whyNotMailed(settings)
      if (refused !== null) return failed(refusal('bad-input', because(refused.code, { host: refused.host })))
      const before = show()
      if (!before.ok) return before
      const goesElsewhere = before.value?.hasPassword === true && before.value.settings.host !== settings.host
      if (password === null && goesElsewhere) {
        return failed(refusal('bad-input', because('MailPasswordOfOtherServer', { host: settings.host })))
      }
      if (password !== null && password !== '') registerSecret(password)
      // An empty password is stored as it is: it means "none".
      const text = password === null || password === '' ? password : sealedText(password, box)
      if (text === null && password !== null) {
        return failed(refusal('conflict', because('MailPasswordUnprotected')))
      }
      const kept = text === null ? ok(undefined) : writePrivateFile(path, text, 'unlocked')
      return kept.ok ? stored.change(() => ok({ items: [settings], report: undefined })) : kept
    },
    password: () => {
      const read = readPrivateFile(path)
      if (!read.ok || read.value === null || read.value === '') return read.ok ? ok(null) : read
      const opened = secretIn(read.value, box)
      // Messages of libraries may contain the login; the log must not.
      if (opened !== null) registerSecret(opened)
      return opened === null ? failed(refusal('unauthenticated', because('MailPasswordSealed'))) : ok(opened)
    },
  }
}
