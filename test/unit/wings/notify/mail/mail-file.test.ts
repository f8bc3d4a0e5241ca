import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailFile } from '../../../../../main/wings/notify/mail/mail-file.ts'

const mail = {
  from: 'ops@example.com',
  to: ['a@b.c'],
  subject: 's',
  text: 't',
  at: '2026-11-22T21:00:00.000Z',
  id: 'x@lockkeeper',
}

/** The header fields, unfolded, and the body. */
function read(raw: Buffer) {
  const [head = '', body = ''] = raw.toString().split('\r\n\r\n')
  return { fields: head.replaceAll('\r\n ', ' ').split('\r\n'), body: Buffer.from(body, 'base64').toString('utf8') }
}

/** What a subject says to people: its encoded words are decoded. */
function subjectIn(fields: readonly string[]): string {
  const said = fields.find(field => field.startsWith('Subject: ')) ?? ''
  return [...said.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, word]) => Buffer.from(word ?? '', 'base64')).join('')
}

test('a subject or a text of anything is one field and the body, and says it again', async () => {
  const any = fc.string({ unit: 'binary', maxLength: 300 })
  const names = read(await mailFile(mail)).fields.map(field => field.split(':')[0])
  await fc.assert(
    fc.asyncProperty(any, any, async (subject, text) => {
      const raw = await mailFile({ ...mail, subject, text })
      for (const line of raw.toString().split('\r\n')) expect(line).toMatch(/^[\u0020-\u007e]{0,78}$/)
      const { fields, body } = read(raw)
      expect(fields.map(field => field.split(':')[0])).toEqual(names)
      expect(subjectIn(fields)).toBe(subject.toWellFormed())
      expect(body).toBe(text.replaceAll(/\r\n?|\n/g, '\r\n').toWellFormed())
    }),
  )
})

test('an address cannot end its line', async () => {
  const raw = await mailFile({ ...mail, to: ['a@b.c\r\nBcc: x@y.z'], from: 'o@e.c\nX: y' })
  expect(read(raw).fields.some(field => /^(Bcc|X):/.test(field))).toBe(false)
})

test('what is not sent from here is a draft', async () => {
  const { fields } = read(await mailFile({ ...mail, from: null, to: [], id: null }))
  expect(fields).toEqual(expect.arrayContaining(['X-Unsent: 1', 'Date: Sun, 22 Nov 2026 21:00:00 +0000']))
  expect(read(await mailFile(mail)).fields).toEqual(expect.arrayContaining(['Message-ID: <x@lockkeeper>']))
})
