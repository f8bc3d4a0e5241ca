import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendOverSmtp } from '../../../../main/adapters/mail/smtp.ts'
import { type SmtpSink, startSmtpSink } from '../../../fixtures/mail/smtp-sink.ts'

const PASSWORD = 'a-pa55word-nobody-may-see'
let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterAll(() => sink.stop())

const send = (user: string) =>
  sendOverSmtp(
    { host: '127.0.0.1', port: sink.port, security: 'plain', user, from: 'ops@example.com', addresses: null },
    PASSWORD,
    { from: 'ops@example.com', to: ['a@example.com'], raw: 'Subject: x\r\n\r\nx\r\n' },
  )

test.each(['ops', 'somebody-of-the-operators'])(
  'a server that repeats the login of %s tells nobody the password, nor the beginning of it',
  async user => {
    sink.mood = 'repeat'
    const { outcome, words } = await send(user)
    expect(outcome).toBe('failed')
    const login = Buffer.from(`\0${user}\0${PASSWORD}`).toString('base64')
    expect(sink.commands.some(line => line.includes(login))).toBe(true)
    expect(words).toMatch(/^Invalid login: 535 no /)
    expect(words).not.toContain(login.slice(0, 8))
    expect(words.length).toBeLessThanOrEqual(300)
  },
)
