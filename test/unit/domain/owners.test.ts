import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../shared/domain/csv.ts'
import { type Announcement, type OwnedInstance, ownersByProject, ownersCsv } from '../../../shared/domain/owners.ts'
import { messageToOwners } from '../../../shared/words/owner-messages.ts'

const WAITS: OwnedInstance & { readonly projectId: string | null } = {
  id: '1f0c',
  name: 'db-1',
  projectId: 'p-1',
  node: 'cmp-2',
  batch: 1,
  status: 'ACTIVE',
  action: 'notify',
  reason: 'a tag of the instance says so',
}
const names = (id: string) => (id === 'p-1' ? 'shop' : id === 'p-2' ? 'batch' : null)
const WINDOW = {
  startsAt: '2026-11-22T21:00:00.000Z',
  endsAt: '2026-11-23T01:00:00.000Z',
  timeZone: 'Europe/Berlin',
}

/** To each project, in their order. */
function messages(owned: readonly (typeof WAITS)[], announced: Announcement | null): readonly string[] {
  return ownersByProject(owned, names).map(project => messageToOwners(project, 'east', announced))
}

describe('owners', () => {
  it('are written to project by project, named ones first, those without a project last', () => {
    const owned = [{ ...WAITS, projectId: null }, { ...WAITS, projectId: 'p-9' }, WAITS, { ...WAITS, projectId: 'p-2' }]
    const projects = ownersByProject(owned, names)
    expect(projects.map(({ projectId, projectName }) => [projectId, projectName])).toEqual([
      ['p-2', 'batch'],
      ['p-1', 'shop'],
      ['p-9', null],
      [null, null],
    ])
  })

  it('read their instances batch by batch and node by node', () => {
    const owned = [
      { ...WAITS, batch: 2, node: 'cmp-1', name: 'c' },
      { ...WAITS, node: 'cmp-10', name: 'b' },
      { ...WAITS, node: 'cmp-2', name: 'a' },
    ]
    expect(ownersByProject(owned, names)[0]?.instances.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('read who, when in the zone of the window, which instances, and what they can do', () => {
    const owned = [WAITS, { ...WAITS, id: '2e1b', name: 'job-7', action: 'poweroff' as const, reason: 'goes down' }]
    const message = messages(owned, WINDOW)[0]
    expect(message).toContain('between 2026-11-22 22:00 +01:00 and 2026-11-23 02:00 +01:00 (Europe/Berlin)')
    expect(message).toMatch(/Waiting for you: .*- db-1 \(1f0c\), ACTIVE, on host cmp-2/s)
    expect(message).toMatch(/Powered off together with the node: .*- job-7 \(2e1b\)/s)
    for (const action of ['live_migrate', 'poweroff', 'notify']) {
      expect(message).toContain(`openstack.lcm.mirantis.com:maintenance_action=${action}`)
    }
    expect(message).toContain('server unset --tag openstack.lcm.mirantis.com:maintenance_action=notify 1f0c')
  })

  it('of a project in which nothing is powered off read nothing about that', () => {
    const message = messages([WAITS], null)[0]
    expect(message).toContain('The time will be announced later')
    expect(message).not.toContain('Powered off')
  })

  it('are a table, one instance a line', () => {
    const owned = [WAITS, { ...WAITS, id: '2e1b', projectId: null, batch: null }]
    expect(ownersCsv(ownersByProject(owned, names))).toBe(
      'project,project_id,instance,instance_id,node,batch,status,action,reason\r\n' +
        'shop,p-1,db-1,1f0c,cmp-2,1,ACTIVE,notify,a tag of the instance says so\r\n' +
        ',,db-1,2e1b,cmp-2,,ACTIVE,notify,a tag of the instance says so\r\n',
    )
  })
})

/** RFC 4180; OWASP, CSV injection. */
describe('a table as CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['=cmd|x', "'=cmd|x"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    ['=a,b', '"\'=a,b"'],
    ['a=b', 'a=b'],
    ['', ''],
    [null, ''],
    [-5, '-5'],
  ])('writes %j as %s', (value, written) => {
    expect(csvOf([[value]])).toBe(`${written}\r\n`)
  })
})
