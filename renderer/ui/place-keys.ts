import type { ConsoleCommand } from '../stores/commands.ts'

type PlaceKey = Pick<ConsoleCommand, 'id' | 'title' | 'group' | 'keys'>

/** Keys that do something in one place only, by the id of their command: the handlers there and the list of all keys read them here. */
const PLACE_KEYS = {
  'topology.search': { group: 'Topology', keys: '/', title: 'Search nodes' },
  'topology.enter': { group: 'Topology', keys: 'e', title: 'Take the selected nodes out of service…' },
  'topology.leave': { group: 'Topology', keys: 'l', title: 'Bring the selected nodes back into service…' },
  'topology.queue': { group: 'Topology', keys: 'q', title: 'Add the selected nodes to the queue, or take them out' },
  'topology.pick-up': { group: 'Topology', keys: 'm', title: 'Pick up the selected nodes and carry them by keys' },
  'topology.nearer': { group: 'Topology', keys: '+', title: 'Look nearer' },
  'topology.further': { group: 'Topology', keys: '-', title: 'Look from further away' },
  'runs.next': { group: 'Runs', keys: 'j', title: 'Next run' },
  'runs.previous': { group: 'Runs', keys: 'k', title: 'Previous run' },
  'runs.pause': { group: 'Runs', keys: 'p', title: 'Pause this run' },
  'runs.go-on': { group: 'Runs', keys: 'c', title: 'Let this paused run go on' },
} as const satisfies Readonly<Record<string, Omit<PlaceKey, 'id'>>>

/** Keys of the map and the list of instances while the focus is in them: they are no commands, and obeyed by what has the focus. */
const WALK_KEYS: readonly PlaceKey[] = [
  { id: 'walk.arrows', group: 'On the map', keys: 'Arrows', title: 'From node to node; with Shift they select' },
  { id: 'walk.select', group: 'On the map', keys: 'Space', title: 'Select the node, or not' },
  { id: 'walk.open', group: 'On the map', keys: 'Enter', title: 'Open the node' },
  { id: 'walk.ends', group: 'On the map', keys: 'Home, End', title: 'The first node, the last' },
  { id: 'walk.all', group: 'On the map', keys: 'mod+a', title: 'Select all nodes' },
  { id: 'walk.menu', group: 'On the map', keys: 'Shift+F10', title: 'The menu of the node' },
  { id: 'walk.away', group: 'On the map', keys: 'Escape', title: 'Put away what is open, or carried' },
]

/** What a command of a place is called and which keys do it. */
export function placeKey(id: keyof typeof PLACE_KEYS): PlaceKey {
  return { id, ...PLACE_KEYS[id] }
}

/** Every key of every place by its subject, each once: those of commands offered now, then those of other places. */
export function allKeys(offered: Iterable<PlaceKey>): ReadonlyMap<string, readonly PlaceKey[]> {
  const byId = new Map<string, PlaceKey>()
  for (const { id, title, group, keys } of offered) if (keys !== null) byId.set(id, { id, title, group, keys })
  for (const [id, key] of Object.entries(PLACE_KEYS)) if (!byId.has(id)) byId.set(id, { id, ...key })
  for (const key of WALK_KEYS) byId.set(key.id, key)
  return Map.groupBy(byId.values(), ({ group }) => group)
}
