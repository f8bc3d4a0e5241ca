import type { DefinitionStatus } from '../../../../shared/domain/maintenance-api.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

/** The six CRDs as a table, then the differences line by line. */
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
  same: "same as Lockkeeper's",
  differs: "the cluster's own, used unchanged",
}
