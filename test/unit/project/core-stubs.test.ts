import { expect, test } from 'vitest'
import * as notifyCommandsDoor from '../../../main/wings/notify/cli/door.ts'
import * as notifyDoor from '../../../main/wings/notify/door.ts'
import * as runnerCommandsDoor from '../../../main/wings/runner/cli/door.ts'
import * as runnerDoor from '../../../main/wings/runner/door.ts'
import * as simulatorsDoor from '../../../main/wings/simulators/door.ts'
import * as notifyPagesDoor from '../../../renderer/wings/notify/door.tsx'
import * as runnerPagesDoor from '../../../renderer/wings/runner/door.tsx'
import * as notifyPages from '../../core/pages/notify.tsx'
import * as runnerPages from '../../core/pages/runner.tsx'
import * as notifyCommands from '../../core/stubs/cli/notify.ts'
import * as runnerCommands from '../../core/stubs/cli/runner.ts'
import * as notify from '../../core/stubs/notify.ts'
import * as runner from '../../core/stubs/runner.ts'
import * as simulators from '../../core/stubs/simulators.ts'

test.each([
  ['notify', notify, notifyDoor],
  ['the commands of notify', notifyCommands, notifyCommandsDoor],
  ['the screens of notify', notifyPages, notifyPagesDoor],
  ['the screens of runner', runnerPages, runnerPagesDoor],
  ['runner', runner, runnerDoor],
  ['the commands of runner', runnerCommands, runnerCommandsDoor],
  ['simulators', simulators, simulatorsDoor],
])('the stub of %s has all that its door has, and nothing else', (_, stub, door) => {
  expect(Object.keys(stub).toSorted()).toEqual(Object.keys(door).toSorted())
})
