import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRedactor } from '../../../../../main/platform/log/redact.ts'
import { openMailStore } from '../../../../../main/wings/notify/mail/mail-settings.ts'
import type { MailSettings } from '../../../../../shared/domain/mail.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'

const SETTINGS: MailSettings = {
  host: 'mail.example.org',
  port: 587,
  security: 'starttls',
  user: 'eva',
  from: 'eva@example.org',
  addresses: null,
}

test('the password of the mail server is known to the redactor when it is set, and when it is read', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-mail-'))
  try {
    const setting = createRedactor()
    valueIn(openMailStore(directory, null, setting.registerSecret).change(SETTINGS, 'plain words'))
    expect(setting.text('it said plain words')).not.toContain('plain words')
    const reading = createRedactor()
    valueIn(openMailStore(directory, null, reading.registerSecret).password())
    expect(reading.text('it said plain words')).not.toContain('plain words')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
