import { Dialog } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useCommandStore } from '../stores/commands.ts'
import { closeOverlay, useOverlay } from '../stores/overlay.ts'
import { keyWords } from '../ui/keys.ts'
import { allKeys } from '../ui/place-keys.ts'

/** All keyboard shortcuts, by group. */
export function ShortcutsDialog(): ReactNode {
  const open = useOverlay(store => store.open === 'shortcuts')
  const commands = useCommandStore(store => store.commands)
  const groups = allKeys(commands.values())
  return (
    <Dialog isOpen={open} onClose={closeOverlay} title="Keyboard shortcuts" style={{ width: 820 }}>
      <div className="shortcuts">
        {[...groups].map(([group, entries]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {entries.map(command => (
                <div key={command.id}>
                  <dt>{command.title}</dt>
                  <dd className="keys">{keyWords(command.keys ?? '')}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
