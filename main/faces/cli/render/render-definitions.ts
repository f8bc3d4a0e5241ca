import type { DefinitionStatus } from '../../../../shared/domain/maintenance-api.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

/** The six definitions as a table, and below it what differs, line by line. */
export function renderDefinitions(definitions: readonly DefinitionStatus[], look: Look): readonly string[] {
  const { palette } = look
  const table = renderTable(
    ['KIND', 'DEFINITION', 'STATE'],
    definitions.map(({ kind, name, state }) => [
      { text: kind, paint: palette.strong },
      name,
      { text: WORDS[state], paint: state === 'missing' ? palette.warn : palette.good },
    ]),
    look,
  )
  const differing = definitions.filter(({ differences }) => differences.length > 0)
  return [
    ...table,
    ...differing.flatMap(({ name, differences }) => ['', `${name}:`, ...differences.map(place => `  ${place}`)]),
  ]
}

const WORDS: Readonly<Record<DefinitionStatus['state'], string>> = {
  missing: 'missing',
  same: 'as ours',
  differs: "the cluster's own, used as it is",
}
