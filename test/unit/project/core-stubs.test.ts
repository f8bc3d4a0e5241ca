import { expect, test } from 'vitest'
import * as notifyCommandsDoor from '../../../main/wings/notify/cli/door.ts'
import * as notifyDoor from '../../../main/wings/notify/door.ts'
import * as runnerCommandsDoor from '../../../main/wings/runner/cli/door.ts'
import * as runnerDoor from '../../../main/wings/runner/door.ts'
import * as simulatorsDoor from '../../../main/wings/simulators/door.ts'
import * as notifyPagesDoor from '../../../renderer/wings/notify/door.tsx'
import * as runnerPagesDoor from '../../../renderer/wings/runner/door.tsx'
import * as simulatorsPagesDoor from '../../../renderer/wings/simulators/door.tsx'
import * as notifyWordsDoor from '../../../shared/wings/notify/door.ts'
import * as runnerWordsDoor from '../../../shared/wings/runner/door.ts'
import * as notifyPages from '../../core/pages/notify.tsx'
import * as runnerPages from '../../core/pages/runner.tsx'
import * as simulatorsPages from '../../core/pages/simulators.tsx'
import * as notifyCommands from '../../core/stubs/cli/notify.ts'
import * as runnerCommands from '../../core/stubs/cli/runner.ts'
import * as notify from '../../core/stubs/notify.ts'
import * as runner from '../../core/stubs/runner.ts'
import * as simulators from '../../core/stubs/simulators.ts'
import * as notifyWords from '../../core/words/notify.ts'
import * as runnerWords from '../../core/words/runner.ts'

test.each([
  ['notify', notify, notifyDoor],
  ['the commands of notify', notifyCommands, notifyCommandsDoor],
  ['the words of notify', notifyWords, notifyWordsDoor],
  ['the words of runner', runnerWords, runnerWordsDoor],
  ['the screens of notify', notifyPages, notifyPagesDoor],
  ['the screens of runner', runnerPages, runnerPagesDoor],
  ['the screens of simulators', simulatorsPages, simulatorsPagesDoor],
  ['runner', runner, runnerDoor],
  ['the commands of runner', runnerCommands, runnerCommandsDoor],
  ['simulators', simulators, simulatorsDoor],
])('the stub of %s has all that its door has, and nothing else', (_, stub, door) => {
  expect(Object.keys(stub).toSorted()).toEqual(Object.keys(door).toSorted())
})
