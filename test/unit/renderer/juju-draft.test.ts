import { describe, expect, it } from 'vitest'
import { draftOf, type JujuDraft, jujuOf } from '../../../renderer/ui/clusters/juju-draft.ts'
import { JujuAccess } from '../../../shared/domain/role-maintenance.ts'

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const TYPED: JujuAccess = {
  kind: 'typed',
  endpoints: ['10.0.0.2:17070', '10.0.0.3:17070'],
  caCertificate: PEM,
  user: 'admin',
  passwordFile: '/home/anna/juju-password',
  model: 'admin/machines',
}
const FILES: JujuAccess = {
  kind: 'client-files',
  directory: '/home/anna/juju',
  controller: 'sun',
  model: 'admin/machines',
}

describe('a Juju controller while it is typed', () => {
  it.each([null, TYPED, FILES])('that is not changed stays what it was: %j', juju => {
    expect(jujuOf(draftOf(juju))).toEqual({ ok: true, juju })
  })

  it('keeps nothing of the way that does not count', () => {
    const draft: JujuDraft = {
      ...draftOf(TYPED),
      kind: 'client-files',
      directory: ' /home/anna/juju ',
      controller: 'sun',
    }
    expect(jujuOf(draft)).toEqual({ ok: true, juju: FILES })
    expect(jujuOf({ ...draft, kind: 'none' })).toEqual({ ok: true, juju: null })
  })

  it('takes addresses one a line, or with commas', () => {
    const read = jujuOf({ ...draftOf(TYPED), endpoints: ' 10.0.0.2:17070,\n10.0.0.3:17070 \n' })
    expect(read).toEqual({ ok: true, juju: TYPED })
    expect(JujuAccess.safeParse(read.ok ? read.juju : null).success).toBe(true)
  })

  it.each<[Partial<JujuDraft>, string]>([
    [{ kind: 'client-files', directory: 'juju' }, 'full path'],
    [{ kind: 'client-files', directory: '/juju', controller: ' ' }, 'name of the controller'],
    [{ endpoints: '' }, 'host:port'],
    [{ caCertificate: 'AAAA' }, 'BEGIN CERTIFICATE'],
    [{ user: '' }, 'Enter the user'],
    [{ passwordFile: '~/password' }, 'full path'],
    [{ model: ' ' }, 'Enter the model'],
  ])('%j says what is missing', (change, words) => {
    const read = jujuOf({ ...draftOf(TYPED), ...change })
    expect(read.ok ? '' : read.missing).toContain(words)
  })
})
