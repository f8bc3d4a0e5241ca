import { FormGroup, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { type ClusterFlavour, cephAccessOf, strategyOf } from '../../../shared/domain/cluster.ts'
import {
  CephAccess,
  CephServicesRule,
  ComputeStrategy,
  DEFAULT_ROLE_MAINTENANCE,
  type RoleMaintenanceSettings,
} from '../../../shared/domain/role-maintenance.ts'
import {
  AS_FLAVOUR,
  CEPH_WORDS,
  ofFlavour,
  SERVICES_RULE_WORDS,
  STRATEGY_WORDS,
} from '../../../shared/words/role-maintenance.ts'

type Settings = Omit<RoleMaintenanceSettings, 'juju'>

interface Props {
  readonly flavour: ClusterFlavour
  readonly settings: Settings
  readonly onEdit: (change: Partial<Settings>) => void
}

/**
 * How a cluster's compute nodes are emptied and how Lockkeeper reaches its Ceph. Under flavour `mosk` the cluster's controllers
 * empty nodes.
 */
export function RoleMaintenanceFields({ flavour, settings, onEdit }: Props): ReactNode {
  const id = useId()
  const unset = { flavour, roleMaintenance: DEFAULT_ROLE_MAINTENANCE }
  const asksCeph = (settings.ceph ?? cephAccessOf(unset)) !== 'none'
  return (
    <div className="set-grid">
      {flavour === 'mosk' ? null : (
        <FormGroup
          label="Compute nodes are emptied by"
          labelFor={`${id}-strategy`}
          helperText={`${settings.strategy === null ? `${ofFlavour(flavour, STRATEGY_WORDS[strategyOf(unset)])} ` : ''}A plan may choose otherwise.`}
        >
          <HTMLSelect
            id={`${id}-strategy`}
            fill
            value={settings.strategy ?? ''}
            options={[
              { value: '', label: AS_FLAVOUR },
              ...ComputeStrategy.options.map(value => ({ value, label: STRATEGY_WORDS[value] })),
            ]}
            onChange={({ currentTarget }) =>
              onEdit({ strategy: ComputeStrategy.safeParse(currentTarget.value).data ?? null })
            }
          />
        </FormGroup>
      )}
      <FormGroup
        label="Lockkeeper reaches Ceph through"
        labelFor={`${id}-ceph`}
        helperText={[
          ...(settings.ceph === null ? [ofFlavour(flavour, CEPH_WORDS[cephAccessOf(unset)])] : []),
          asksCeph ? 'For checks, flags and OSDs of storage nodes.' : 'Then storage nodes are not protected.',
        ].join(' ')}
      >
        <HTMLSelect
          id={`${id}-ceph`}
          fill
          value={settings.ceph ?? ''}
          options={[
            { value: '', label: AS_FLAVOUR },
            ...CephAccess.options.map(value => ({ value, label: CEPH_WORDS[value] })),
          ]}
          onChange={({ currentTarget }) => onEdit({ ceph: CephAccess.safeParse(currentTarget.value).data ?? null })}
        />
      </FormGroup>
      {asksCeph ? (
        <FormGroup
          label="Ceph services that must stay"
          labelFor={`${id}-rule`}
          helperText="Counted without the node that goes out."
        >
          <HTMLSelect
            id={`${id}-rule`}
            fill
            value={settings.cephServicesRule ?? ''}
            options={[
              { value: '', label: AS_FLAVOUR },
              ...CephServicesRule.options.map(value => ({ value, label: SERVICES_RULE_WORDS[value] })),
            ]}
            onChange={({ currentTarget }) =>
              onEdit({ cephServicesRule: CephServicesRule.safeParse(currentTarget.value).data ?? null })
            }
          />
        </FormGroup>
      ) : null}
    </div>
  )
}
