import { expect, test } from 'vitest'
import { createPicture } from '../../../../main/lcm/controllers/picture.ts'
import { NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import { fakeNode } from '../../../fixtures/procedures/fake-world.ts'

function started() {
  let changes = 0
  const picture = createPicture(() => {
    changes += 1
  })
  return { ...picture, changes: () => changes, nodes: () => picture.snapshot().nodes.map(({ name }) => name) }
}

test('nothing is current until every part was read', () => {
  const { receive, isCurrent, changes } = started()
  receive('nodes', [fakeNode('a')])
  expect([isCurrent(), changes()]).toEqual([false, 0])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  expect([isCurrent(), changes()]).toEqual([true, 1])
})

test('while one part is behind, what the others tell is kept back, and then all of it is shown together', () => {
  const { receive, stands, isCurrent, changes, nodes, snapshot } = started()
  receive('nodes', [fakeNode('a')])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  stands('objects', false)
  receive('nodes', [fakeNode('b')])
  stands('nodes', false)
  stands('nodes', true)
  expect([isCurrent(), changes(), nodes()]).toEqual([false, 1, ['a']])
  const objects = { ...NO_MAINTENANCE_OBJECTS }
  receive('objects', objects)
  expect([isCurrent(), changes(), nodes()]).toEqual([false, 1, ['a']])
  stands('objects', true)
  expect([isCurrent(), changes(), nodes()]).toEqual([true, 2, ['b']])
  expect(snapshot().objects).toBe(objects)
})

test('a signal stands for the picture as long as it is current: it aborts with the first part that falls behind, and another one follows', () => {
  const { receive, stands, current } = started()
  expect(current().aborted).toBe(true)
  receive('nodes', [])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  const first = current()
  receive('nodes', [fakeNode('a')])
  expect([first.aborted, current() === first]).toEqual([false, true])
  stands('objects', false)
  expect([first.aborted, current().aborted]).toEqual([true, true])
  stands('nodes', false)
  stands('objects', true)
  expect(current().aborted).toBe(true)
  stands('nodes', true)
  expect([first.aborted, current().aborted]).toEqual([true, false])
})

test('a sign of life of a part is not a change', () => {
  const { receive, stands, changes } = started()
  receive('nodes', [])
  receive('objects', NO_MAINTENANCE_OBJECTS)
  stands('objects', true)
  stands('objects', true)
  expect(changes()).toBe(1)
})
