import { expect, test } from 'vitest'
import * as notifyDoor from '../../../main/wings/notify/door.ts'
import * as runnerDoor from '../../../main/wings/runner/door.ts'
import * as simulatorsDoor from '../../../main/wings/simulators/door.ts'
import * as notify from '../../core/stubs/notify.ts'
import * as runner from '../../core/stubs/runner.ts'
import * as simulators from '../../core/stubs/simulators.ts'

test.each([
  ['notify', notify, notifyDoor],
  ['runner', runner, runnerDoor],
  ['simulators', simulators, simulatorsDoor],
])('the stub of %s has all that its door has, and nothing else', (_, stub, door) => {
  expect(Object.keys(stub).toSorted()).toEqual(Object.keys(door).toSorted())
})
