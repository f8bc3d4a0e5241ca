import { describe, expect, test } from 'vitest'
import { describeCloud } from '../../../../main/wings/runner/cloud-settings.ts'

const secret = (data: Readonly<Record<string, string>>) => describeCloud({ name: 'cloud-east', cloud: 'east', data })

test('a Secret of a clouds.yaml alone is the runner’s own Kubernetes with what nobody said as on a console', () => {
  expect(secret({ 'clouds.yaml': 'clouds: {}' })).toMatchObject({
    cloud: 'east',
    openstack: { text: 'clouds: {}', name: 'east' },
    kubeconfig: null,
    settings: { flavour: 'plain', openstackNamespace: 'openstack', leaseNamespace: 'default', production: false },
  })
})

test('all its settings apply', () => {
  const settings = { flavour: 'mosk', openstackNamespace: 'os', limits: { migrationsPerSource: 4 }, production: true }
  expect(
    secret({ kubeconfig: 'k', 'clouds.yaml': 'c', cloud: ' admin\n', 'settings.json': JSON.stringify(settings) }),
  ).toMatchObject({
    openstack: { name: 'admin' },
    kubeconfig: 'k',
    settings: { ...settings, limits: { migrationsPerSource: 4, migrationAttempts: 3 } },
  })
})

test('one without a clouds.yaml has no OpenStack', () => {
  expect(secret({ kubeconfig: 'k' })).toMatchObject({ openstack: null })
})

describe('an unusable Secret is reported by its keys and never by their values', () => {
  test.each([
    ['an unknown key', { 'cloud.yaml': 'hunter2' }, 'it has the unknown keys cloud.yaml'],
    ['settings that are not JSON', { 'settings.json': 'hunter2' }, 'settings.json (invalid_type)'],
    ['a setting of a wrong kind', { 'settings.json': '{"flavour":"hunter2"}' }, 'flavour (invalid_value)'],
    ['a setting that nobody knows', { 'settings.json': '{"hunter2":1}' }, 'settings.json (unrecognized_keys)'],
  ])('%s', (_, data, words) => {
    const reported = secret(data)
    expect(reported).toEqual({ unusable: expect.objectContaining({ message: expect.stringContaining(words) }) })
    expect(JSON.stringify(reported)).not.toContain('hunter2')
  })
})

describe('a Secret that would have the runner read its own pod, or run a command there, is refused by the field', () => {
  const user = (fields: string) => `users:\n- name: eva\n  user: ${fields}\n`
  const cloud = (fields: string) => `clouds:\n  east:\n    auth: {auth_url: "https://x"}\n    ${fields}\n`
  test.each([
    ['a token file', { kubeconfig: user('{tokenFile: /hunter2}') }, 'kubeconfig: users[0].user.tokenFile'],
    [
      'a token file that comes by a merge key',
      { kubeconfig: `x: &x {tokenFile: /hunter2}\n${user('{<<: *x}')}` },
      'kubeconfig: users[0].user.tokenFile',
    ],
    ['a certificate by its path', { kubeconfig: user('{client-certificate: hunter2}') }, 'user.client-certificate'],
    ['a key by its path', { kubeconfig: user('{client-key: hunter2}') }, 'user.client-key'],
    ['a command', { kubeconfig: user('{exec: {command: hunter2}}') }, 'user.exec runs a command'],
    ['a provider', { kubeconfig: user('{auth-provider: {name: hunter2}}') }, 'user.auth-provider'],
    [
      'an authority by its path',
      { kubeconfig: 'clusters: [{name: a, cluster: {certificate-authority: hunter2}}]' },
      'kubeconfig: clusters[0].cluster.certificate-authority reads a file',
    ],
    ['JSON', { kubeconfig: '{"users":[{"user":{"tokenFile":"hunter2"}}]}' }, 'users[0].user.tokenFile'],
    ['an authority of OpenStack', { 'clouds.yaml': cloud('cacert: /hunter2') }, 'clouds.yaml: clouds.east.cacert'],
    ['one that verify names', { 'clouds.yaml': cloud('verify: /hunter2.pem') }, 'clouds.east.verify'],
    ['one of a region', { 'clouds.yaml': cloud('regions: [{name: r, values: {cacert: hunter2}}]') }, 'values.cacert'],
    ['a client certificate', { 'clouds.yaml': cloud('cert: hunter2') }, 'clouds.east.cert'],
    ['a client key', { 'clouds.yaml': cloud('key: hunter2') }, 'clouds.east.key'],
    [
      'a path that ends as a key of the Secret',
      { 'clouds.yaml': cloud('cacert: /etc/hunter2/../ca.crt'), 'ca.crt': 'PEM' },
      'clouds.east.cacert',
    ],
  ])('%s', (_, data, words) => {
    const reported = secret(data)
    expect(reported).toEqual({ unusable: expect.objectContaining({ message: expect.stringContaining(words) }) })
    expect(JSON.stringify(reported)).not.toContain('hunter2')
  })

  test.each([
    ['data in place of paths', { kubeconfig: user('{client-certificate-data: YQ==, client-key-data: YQ==}') }],
    ['a token', { kubeconfig: user('{token: abc, tokenFile: ""}') }],
    ['certificates of the Secret itself', { 'clouds.yaml': cloud('cacert: ca.crt'), 'ca.crt': 'PEM' }],
    ['a truth', { 'clouds.yaml': cloud('verify: true') }],
    ['no YAML, of which its reader tells', { kubeconfig: '\t- {' }],
  ])('and not for %s', (_, data) => {
    expect(secret(data)).not.toHaveProperty('unusable')
  })

  test('what it may name is written beside it', () => {
    expect(secret({ 'clouds.yaml': cloud('cacert: ca.crt'), 'ca.crt': 'PEM' })).toMatchObject({
      openstack: { certificates: { 'ca.crt': 'PEM' } },
    })
  })
})
