import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FilePlaces } from '../../../main/clusters/file-places.ts'
import { resolveJuju } from '../../../main/clusters/juju-files.ts'
import { writeClientFiles } from '../../../main/wings/simulators/juju/client-files.ts'
import { createCertificates } from '../../../main/wings/simulators/kubernetes/transport/certificates.ts'
import type { JujuAccess } from '../../../shared/domain/role-maintenance.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

const CA = createCertificates('juju').authority
const SECRET = 'the-secret-one'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-juju-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string, mode = 0o600): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
  return join(root, path)
}

function around(): FilePlaces {
  return { environment: {}, home: join(root, 'home'), currentDirectory: root }
}

function putClientFiles(directory: string): void {
  writeClientFiles(join(root, directory), {
    name: 'sunbeam-controller',
    address: '10.0.0.1:17070',
    controllerUuid: 'c0',
    caCertificate: CA,
    user: 'admin',
    password: SECRET,
    model: 'admin/openstack-machines',
    modelUuid: 'm0',
  })
}

function clientFiles(more: Partial<Extract<JujuAccess, { kind: 'client-files' }>> = {}): JujuAccess {
  return {
    kind: 'client-files',
    directory: join(root, 'juju'),
    controller: 'sunbeam-controller',
    model: 'admin/openstack-machines',
    ...more,
  }
}

function typed(more: Partial<Extract<JujuAccess, { kind: 'typed' }>> = {}): JujuAccess {
  return {
    kind: 'typed',
    endpoints: ['10.0.0.1:17070'],
    caCertificate: CA,
    user: 'admin',
    passwordFile: join(root, 'password'),
    model: 'admin/openstack-machines',
    ...more,
  }
}

test("the Juju client's own files give endpoints, authority, user and password", async () => {
  putClientFiles('juju')
  expect(valueIn(await resolveJuju(clientFiles(), around()))).toEqual({
    name: 'sunbeam-controller',
    endpoints: ['10.0.0.1:17070'],
    caCertificate: CA,
    user: 'admin',
    password: SECRET,
    model: 'admin/openstack-machines',
    warnings: [],
  })
})

test.each([
  ['node-1', SECRET],
  ['somebody-else', null],
])('a password that the client did not keep is the one Sunbeam keeps, for %s only', async (user, password) => {
  putClientFiles('juju')
  put('juju/accounts.yaml', 'controllers:\n  sunbeam-controller:\n    user: node-1\n')
  put('home/snap/openstack/current/account.yaml', `user: ${user}\npassword: ${SECRET}\n`)
  const resolved = await resolveJuju(clientFiles(), around())
  expect(resolved.ok ? resolved.value.password : null).toBe(password)
})

test('a controller typed in takes its password from a file, whose last line end does not count', async () => {
  put('password', `${SECRET}\n`)
  expect(valueIn(await resolveJuju(typed(), around()))).toMatchObject({ password: SECRET, warnings: [] })
})

test.runIf(process.platform !== 'win32')('a password that others may read is warned of', async () => {
  const path = put('password', SECRET)
  chmodSync(path, 0o644)
  expect(valueIn(await resolveJuju(typed(), around())).warnings.map(({ message }) => message)).toEqual([
    `${path} contains a password, and other users may read it. Run \`chmod 600 ${path}\`.`,
  ])
})

test('files that are not there are named, and where the Juju client keeps its own', async () => {
  putClientFiles('home/snap/openstack/current/.local/share/juju')
  const failure = failureIn(await resolveJuju(clientFiles(), around()))
  expect(failure.message).toContain(`${join(root, 'juju', 'controllers.yaml')} of Juju: it does not exist`)
  expect(failure.message).toContain(join(root, 'home/snap/openstack/current/.local/share/juju'))
})

test('a controller that the files do not know is refused with those they know', async () => {
  putClientFiles('juju')
  const failure = failureIn(await resolveJuju(clientFiles({ controller: 'other' }), around()))
  expect(failure.message).toContain('has no controller other, only sunbeam-controller')
})

test.each([
  ['controllers.yaml', 'controllers:\n  sunbeam-controller:\n    ca-cert: x\n', 'has no api-endpoints'],
  ['controllers.yaml', "controllers:\n  sunbeam-controller:\n    api-endpoints: ['a:1']\n", 'has no ca-cert'],
  ['controllers.yaml', 'controllers: 7\n', 'does not have the format of the Juju client (at controllers)'],
  ['accounts.yaml', 'controllers:\n  other:\n    user: a\n', 'has no account for controller sunbeam-controller'],
  ['accounts.yaml', 'controllers:\n  sunbeam-controller:\n    user: admin\n', 'has no password for admin'],
  ['accounts.yaml', `password: [${SECRET}\n`, 'is not YAML'],
])('%s with %j %s', async (file, text, words) => {
  putClientFiles('juju')
  const path = put(join('juju', file), text)
  const failure = failureIn(await resolveJuju(clientFiles(), around()))
  expect(failure).toMatchObject({ code: 'bad-input', target: path })
  expect(failure.message).toContain(words)
  expect(JSON.stringify(failure)).not.toContain(SECRET)
})

test.each([
  ['', 'it is empty'],
  [`user: admin\npassword: ${SECRET}\n`, 'it has several lines'],
])('a password file with %j is refused: %s', async (text, words) => {
  put('password', text)
  const failure = failureIn(await resolveJuju(typed(), around()))
  expect(failure.message).toContain(words)
  expect(JSON.stringify(failure)).not.toContain(SECRET)
})

test('an authority that is not a certificate is refused', async () => {
  put('password', SECRET)
  const failure = failureIn(await resolveJuju(typed({ caCertificate: '/etc/juju-ca.pem' }), around()))
  expect(failure.message).toContain('is not a PEM certificate')
})
