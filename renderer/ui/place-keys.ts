import type { ConsoleCommand } from '../stores/commands.ts'

type PlaceKey = Pick<ConsoleCommand, 'id' | 'title' | 'group' | 'keys'>

/** Keys that work in one place only, by the id of their command, for the handlers there and the list of all keys. */
const PLACE_KEYS = {
  'topology.search': { group: 'Map', keys: '/', title: 'Search nodes' },
  'topology.enter': { group: 'Map', keys: 'e', title: 'Take out of service…' },
  'topology.leave': { group: 'Map', keys: 'l', title: 'Bring back into service…' },
  'topology.pick-up': { group: 'Map', keys: 'm', title: 'Pick up, then move by keys' },
  'topology.nearer': { group: 'Map', keys: '+', title: 'Zoom in' },
  'topology.further': { group: 'Map', keys: '-', title: 'Zoom out' },
  'runs.next': { group: 'Runs', keys: 'j', title: 'Next run' },
  'runs.previous': { group: 'Runs', keys: 'k', title: 'Previous run' },
  'runs.pause': { group: 'Runs', keys: 'p', title: 'Pause this run' },
  'runs.go-on': { group: 'Runs', keys: 'c', title: 'Resume this paused run' },
} as const satisfies Readonly<Record<string, Omit<PlaceKey, 'id'>>>

/** Keys of the map, the list of instances and the order of an update: they work only with the focus there, and are not commands. */
const WALK_KEYS: readonly PlaceKey[] = [
  { id: 'walk.arrows', group: 'On the map', keys: 'Arrows', title: 'Move between nodes (Shift selects)' },
  { id: 'walk.select', group: 'On the map', keys: 'Space', title: 'Select or deselect the node' },
  { id: 'walk.open', group: 'On the map', keys: 'Enter', title: 'Open the node' },
  { id: 'walk.ends', group: 'On the map', keys: 'Home/End', title: 'First or last node' },
  { id: 'walk.all', group: 'On the map', keys: 'mod+a', title: 'Select all nodes' },
  { id: 'walk.menu', group: 'On the map', keys: 'Shift+F10', title: 'The menu of the node' },
  { id: 'lane.arrows', group: 'Order of an update', keys: 'Arrows', title: 'Move from node to node' },
  { id: 'lane.move', group: 'Order of an update', keys: 'Shift+Arrows', title: 'Move the node earlier or later' },
  { id: 'lane.new', group: 'Order of an update', keys: 'n', title: 'Give the node a separate group' },
  { id: 'lane.out', group: 'Order of an update', keys: 'Delete', title: 'Leave the node out' },
  { id: 'walk.away', group: 'On the map', keys: 'Escape', title: 'Close what is open, cancel a drag' },
]

/** The words and keys of a command of one place. */
export function placeKey(id: keyof typeof PLACE_KEYS): PlaceKey {
  return { id, ...PLACE_KEYS[id] }
}

/** All keys by group, each once: first the commands available now, then commands of other places. */
export function allKeys(offered: Iterable<PlaceKey>): ReadonlyMap<string, readonly PlaceKey[]> {
  const byId = new Map<string, PlaceKey>()
  for (const { id, title, group, keys } of offered) if (keys !== null) byId.set(id, { id, title, group, keys })
  for (const [id, key] of Object.entries(PLACE_KEYS)) if (!byId.has(id)) byId.set(id, { id, ...key })
  for (const key of WALK_KEYS) byId.set(key.id, key)
  return Map.groupBy(byId.values(), ({ group }) => group)
}
