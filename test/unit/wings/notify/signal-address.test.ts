import { expect, test } from 'vitest'
import { readSignalAddress } from '../../../../main/wings/notify/signal-settings.ts'

test.each([
  ['https://hooks.example.org/lockkeeper?of=ops', true],
  ['http://127.0.0.1:9093/', true],
  ['http://localhost:9093/', true],
  ['http://[::1]:9093/', true],
  ['http://hooks.example.org/', false],
  ['http://127.0.0.1.example.org/', false],
  ['http://localhost.example.org/', false],
  ['ftp://hooks.example.org/', false],
  ['https://eva:s3cr3t@hooks.example.org/', false],
  ['https://hooks.example.org/#s3cr3t', false],
  ['hooks.example.org/s3cr3t', false],
])('what is reported goes to %s: %s', (address, goes) => {
  const read = readSignalAddress(address, 'webhook ops')
  expect(read.ok).toBe(goes)
  expect(JSON.stringify(read.ok ? '' : read.failure)).not.toContain('s3cr3t')
})
