import { FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { MaintenanceApiSettings } from '../../../shared/domain/maintenance-api.ts'

interface Props {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

const PLACES = [
  { key: 'cephNamespace', of: 'ceph', label: "Namespace of Ceph's toolbox", help: 'Where Rook keeps it.' },
  { key: 'cephToolbox', of: 'ceph', label: "Labels of Ceph's toolbox", help: 'The pod in which ceph is asked.' },
  {
    key: 'tungstenFabricNamespace',
    of: 'tungstenfabric',
    label: 'Namespace of Tungsten Fabric',
    help: 'Where its vRouters run.',
  },
  { key: 'vrouterPods', of: 'tungstenfabric', label: 'Labels of its vRouters', help: 'All of a node must be ready.' },
  {
    key: 'stacklightNamespace',
    of: 'stacklight',
    label: 'Namespace of StackLight',
    help: 'Where its pods run.',
  },
] as const

/** Where our own controllers find what they ask: shown for those that answer. An empty field keeps what was set. */
export function MaintenancePlaces({ settings, onEdit }: Props): ReactNode {
  const id = useId()
  return PLACES.filter(({ of }) => settings.controllers[of] !== 'none').map(({ key, label, help }) => (
    <FormGroup key={key} label={label} labelFor={`${id}-${key}`} helperText={help}>
      <InputGroup
        id={`${id}-${key}`}
        className="mono"
        defaultValue={settings[key]}
        spellCheck={false}
        onValueChange={text => {
          if (text.trim() !== '') onEdit({ [key]: text.trim() })
        }}
      />
    </FormGroup>
  ))
}
