import { expect, test } from 'vitest'
import { createControllerPicture } from '../../../../main/lcm/controllers/run-controllers.ts'
import { NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import { fakeNode } from '../../../fixtures/procedures/fake-world.ts'

function started() {
  let changes = 0
  const picture = createControllerPicture(() => {
    changes += 1
  })
  return { ...picture, changes: () => changes, nodes: () => picture.snapshot().nodes.map(({ name }) => name) }
}

test('nothing is current until every part arrived', () => {
  const { receive, isCurrent, changes } = started()
  receive('nodes', [fakeNode('a')])
  expect([isCurrent(), changes()]).toEqual([false, 0])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  expect([isCurrent(), changes()]).toEqual([true, 1])
})

test('while one part is behind, what the others tell is kept back, and then all of it is shown together', () => {
  const { receive, setLive, isCurrent, changes, nodes, snapshot } = started()
  receive('nodes', [fakeNode('a')])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  setLive('objects', false)
  receive('nodes', [fakeNode('b')])
  setLive('nodes', false)
  setLive('nodes', true)
  expect([isCurrent(), changes(), nodes()]).toEqual([false, 1, ['a']])
  const objects = { ...NO_MAINTENANCE_OBJECTS }
  receive('objects', objects)
  expect([isCurrent(), changes(), nodes()]).toEqual([false, 1, ['a']])
  setLive('objects', true)
  expect([isCurrent(), changes(), nodes()]).toEqual([true, 2, ['b']])
  expect(snapshot().objects).toBe(objects)
})

test('a signal belongs to the picture as long as it is current: it aborts with the first part that falls behind, and another one follows', () => {
  const { receive, setLive, current } = started()
  expect(current().aborted).toBe(true)
  receive('nodes', [])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  const first = current()
  receive('nodes', [fakeNode('a')])
  expect([first.aborted, current() === first]).toEqual([false, true])
  setLive('objects', false)
  expect([first.aborted, current().aborted]).toEqual([true, true])
  setLive('nodes', false)
  setLive('objects', true)
  expect(current().aborted).toBe(true)
  setLive('nodes', true)
  expect([first.aborted, current().aborted]).toEqual([true, false])
})

test('a part that is still live is not a change', () => {
  const { receive, setLive, changes } = started()
  receive('nodes', [])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  setLive('objects', true)
  setLive('objects', true)
  expect(changes()).toBe(1)
})
