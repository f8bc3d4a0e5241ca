import { expect, test } from 'vitest'
import { commandEnvironment } from '../../../../main/adapters/commands/machine-commands.ts'

test('a command finds what it is for, and none of the console’s own secrets', () => {
  const own = { PATH: '/bin', OS_PASSWORD: 'x', LOCKKEEPER_DATA_DIR: '/data', TOKEN: 'secret' }
  const about = { cluster: 'east', runId: 'run-1' }
  const isSecret = (value: string) => value === 'secret'
  const known = { PATH: '/bin', LOCKKEEPER_CLUSTER: 'east', LOCKKEEPER_RUN: 'run-1' }
  expect(commandEnvironment(own, { ...about, node: 'cmp-1' }, isSecret)).toEqual({ ...known, LOCKKEEPER_NODE: 'cmp-1' })
  expect(commandEnvironment(own, { ...about, node: '', application: 'ceph' }, isSecret)).toEqual({
    ...known,
    LOCKKEEPER_APPLICATION: 'ceph',
  })
})
