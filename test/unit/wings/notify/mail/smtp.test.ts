import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendOverSmtp } from '../../../../../main/wings/notify/mail/smtp.ts'
import { type SmtpSink, startSmtpSink } from '../../../../fixtures/mail/smtp-sink.ts'

const PASSWORD = 'a-pa55word-nobody-may-see'
const MAIL = {
  from: 'ops@example.com',
  to: ['a@example.com'],
  subject: 'x',
  text: 'x',
  at: '2026-11-22T21:00:00.000Z',
  id: 'x@lockkeeper',
}
let sink: SmtpSink
beforeAll(async () => {
  sink = await startSmtpSink()
})
afterAll(() => sink.stop())

const send = (user: string) =>
  sendOverSmtp(
    { host: '127.0.0.1', port: sink.port, security: 'plain', user, from: 'ops@example.com', addresses: null },
    PASSWORD,
    MAIL,
  )

test.each(['ops', 'somebody-of-the-operators'])(
  'a server that repeats the login of %s tells nobody the password, nor the beginning of it',
  async user => {
    sink.mood = 'repeat'
    const came = await send(user)
    const { words } = came
    expect(came).toMatchObject({ outcome: 'failed', code: 'MailFailed' })
    const login = Buffer.from(`\0${user}\0${PASSWORD}`).toString('base64')
    expect(sink.commands.some(line => line.includes(login))).toBe(true)
    expect(words).toMatch(/^Invalid login: 535 no /)
    expect(JSON.stringify(came)).not.toContain(login.slice(0, 8))
    expect(words.length).toBeLessThanOrEqual(300)
  },
)

const fileOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const ROOT = fileOf('fixtures/tls/chain-root.cert.pem')

test.each<[what: string, file: string, words: RegExp]>([
  ["this machine's authorities count for the first connection too", ROOT, /no mail today/],
  ['others do not', fileOf('fixtures/tls/loopback.cert.pem'), /certificate/],
])('of a mail server with TLS %s', async (_, file, words) => {
  const pem = (name: string) => readFileSync(fileOf(`fixtures/tls/chain-${name}.pem`), 'utf8')
  const server = createServer(
    { cert: `${pem('leaf.cert')}${pem('intermediate.cert')}`, key: pem('leaf.key') },
    socket => {
      socket.on('error', () => {})
      socket.end('554 no mail today\r\n')
    },
  )
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const settings = { host: '127.0.0.1', port, security: 'tls', user: null, from: 'ops@example.com', addresses: null }
    const script = `
      const { sendOverSmtp } = await import(${JSON.stringify(fileOf('../main/wings/notify/mail/smtp.ts'))})
      console.log((await sendOverSmtp(${JSON.stringify(settings)}, null, ${JSON.stringify(MAIL)})).words)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, SSL_CERT_FILE: file, SSL_CERT_DIR: '/nowhere', NODE_EXTRA_CA_CERTS: '' },
    })
    expect(stdout).toMatch(words)
  } finally {
    server.close()
  }
})
