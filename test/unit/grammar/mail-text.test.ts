import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mailText } from '../../../shared/grammar/mail-text.ts'

const mail = {
  from: 'ops@example.com',
  to: ['a@b.c'],
  subject: 's',
  text: 't',
  at: '2026-11-22T21:00:00.000Z',
  id: 'x@lockkeeper',
}

/** The header fields, unfolded, and the body. */
function read(raw: string) {
  const [head = '', body = ''] = raw.split('\r\n\r\n')
  return { fields: head.replaceAll('\r\n ', ' ').split('\r\n'), body: Buffer.from(body, 'base64').toString('utf8') }
}

test('a subject or a text of anything is one field and the body, and says it again', () => {
  const any = fc.string({ unit: 'binary', maxLength: 300 })
  const names = read(mailText(mail)).fields.map(field => field.split(':')[0])
  fc.assert(
    fc.property(any, any, (subject, text) => {
      const raw = mailText({ ...mail, subject, text })
      for (const line of raw.split('\r\n')) expect(line).toMatch(/^[\u0020-\u007e]{0,78}$/)
      const { fields, body } = read(raw)
      expect(fields.map(field => field.split(':')[0])).toEqual(names)
      const said = fields.find(field => field.startsWith('Subject: '))?.slice(9) ?? ''
      const words = [...said.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].map(([, word]) =>
        Buffer.from(word ?? '', 'base64').toString('utf8'),
      )
      expect(words.join('')).toBe(subject.toWellFormed())
      expect(body).toBe(text.replaceAll(/\r\n?|\n/g, '\r\n').toWellFormed())
    }),
  )
})

test('an address cannot end its line', () => {
  const raw = mailText({ ...mail, to: ['a@b.c\r\nBcc: x@y.z'], from: 'o@e.c\nX: y' })
  expect(read(raw).fields.some(field => /^(Bcc|X):/.test(field))).toBe(false)
})

test('what is not sent from here is a draft', () => {
  expect(read(mailText({ ...mail, from: null, to: [], id: null })).fields).toEqual(
    expect.arrayContaining(['X-Unsent: 1', 'Date: Sun, 22 Nov 2026 21:00:00 +0000']),
  )
})
