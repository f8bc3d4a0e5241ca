import { Dialog } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { type ConsoleCommand, useCommandStore } from '../stores/commands.ts'
import { closeOverlay, useOverlay } from '../stores/overlay.ts'
import { keyWords } from '../ui/keys.ts'

/** Every key that does something here, by subject. */
export function ShortcutsDialog(): ReactNode {
  const open = useOverlay(store => store.open === 'shortcuts')
  const commands = useCommandStore(store => store.commands)
  const groups = Map.groupBy(
    [...commands.values()].filter(command => command.keys !== null),
    command => command.group,
  )
  return (
    <Dialog isOpen={open} onClose={closeOverlay} title="Keyboard shortcuts" style={{ width: 760 }}>
      <div className="shortcuts">
        {[...groups].map(([group, entries]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {entries.map(command => (
                <Shortcut key={command.id} command={command} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Shortcut({ command }: { readonly command: ConsoleCommand }): ReactNode {
  return (
    <div>
      <dt>{command.title}</dt>
      <dd className="keys">{keyWords(command.keys ?? '')}</dd>
    </div>
  )
}
