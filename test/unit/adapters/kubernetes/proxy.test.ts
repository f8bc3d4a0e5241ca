import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../../../main/adapters/kubernetes/connection.ts'

const SERVER = new URL('https://api.prod.example:6443')
const href = (...args: Parameters<typeof proxyFor>) => {
  const proxy = proxyFor(...args)
  return proxy.ok ? (proxy.value?.href ?? null) : proxy.failure.code
}

describe('which proxy', () => {
  test.each([
    ['none', {}, null],
    ['HTTPS_PROXY', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128/'],
    ['https_proxy', { https_proxy: 'http://p:3128' }, 'http://p:3128/'],
    ['without a scheme', { HTTPS_PROXY: 'p:3128' }, 'http://p:3128/'],
    ['HTTP_PROXY is for http', { HTTP_PROXY: 'http://p:3128' }, null],
    ['NO_PROXY *', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '*' }, null],
    ['NO_PROXY a domain', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'x, .example' }, null],
    ['NO_PROXY a parent domain without dot', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'example' }, null],
    ['NO_PROXY only the end of a word', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'ample' }, 'http://p:3128/'],
    ['NO_PROXY with the port', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'api.prod.example:6443' }, null],
    [
      'NO_PROXY with another port',
      { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'api.prod.example:443' },
      'http://p:3128/',
    ],
    ['not an address', { HTTPS_PROXY: 'ftp://p' }, 'bad-input'],
  ])('%s', (_, environment, expected) => {
    expect(href(SERVER, null, environment)).toBe(expected)
  })

  test('a network in NO_PROXY', () => {
    const environment = { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '10.20.0.0/16' }
    expect(href(new URL('https://10.20.3.4'), null, environment)).toBeNull()
    expect(href(new URL('https://10.21.3.4'), null, environment)).toBe('http://p:3128/')
    const ofSix = { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'fd00:20::/32, 10.0.0.0/99' }
    expect(href(new URL('https://[fd00:20::4]'), null, ofSix)).toBeNull()
    expect(href(new URL('https://[fd00:21::4]'), null, ofSix)).toBe('http://p:3128/')
    expect(href(new URL('https://10.21.3.4'), null, ofSix)).toBe('http://p:3128/')
  })

  test('an address in NO_PROXY may be written out or have a port, and is not a name with a suffix', () => {
    const spared = (rule: string, server: string) =>
      href(new URL(server), null, { HTTPS_PROXY: 'http://p:3128', NO_PROXY: rule }) === null
    expect(spared('fd00:0020:0:0:0:0:0:4', 'https://[fd00:20::4]')).toBe(true)
    expect(spared('[fd00:20::4]:6443', 'https://[fd00:20::4]:6443')).toBe(true)
    expect(spared('[fd00:20::4]:6443', 'https://[fd00:20::4]')).toBe(false)
    expect(spared('10.20.0.5:443', 'https://10.20.0.5')).toBe(true)
    expect(spared('.5', 'https://10.20.0.5')).toBe(false)
  })

  test('loopback never goes through the proxy of the environment', () => {
    for (const server of ['https://127.0.0.1:6443', 'https://localhost', 'https://[::1]:6443']) {
      expect(href(new URL(server), null, { HTTPS_PROXY: 'http://p:3128' })).toBeNull()
    }
    // A name that only begins like a loopback address may be anywhere.
    expect(href(new URL('https://127.0.0.1.prod.example'), null, { HTTPS_PROXY: 'http://p:3128' })).toBe(
      'http://p:3128/',
    )
  })

  test("the kubeconfig's own proxy-url wins, and NO_PROXY does not lift it", () => {
    expect(href(SERVER, 'socks5://q:1080', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '*' })).toBe('socks5://q:1080')
  })
})
