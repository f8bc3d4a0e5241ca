import { FormGroup, HTMLSelect, InputGroup, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import type { NodeWorkGate } from '../../../shared/domain/update.ts'

interface Props {
  readonly work: NodeWorkGate
  readonly onChange: (work: NodeWorkGate) => void
}

const KIND_WORDS: Readonly<Record<NodeWorkGate['kind'], string>> = {
  person: 'You confirm it',
  'boot-id': 'It has rebooted',
  'kubelet-version': 'Its kubelet has a version',
  'os-image': 'Its OS image has a text',
  job: 'A Job on it has completed',
}

const EMPTY: Readonly<Record<NodeWorkGate['kind'], NodeWorkGate>> = {
  person: { kind: 'person' },
  'boot-id': { kind: 'boot-id' },
  'kubelet-version': { kind: 'kubelet-version', version: '' },
  'os-image': { kind: 'os-image', contains: '' },
  job: { kind: 'job', manifest: '', namespace: 'default' },
}

const KINDS: readonly NodeWorkGate['kind'][] = ['person', 'boot-id', 'kubelet-version', 'os-image', 'job']

/** How Lockkeeper knows that the work on a node has ended. */
export function WorkForm({ work, onChange }: Props): ReactNode {
  const id = useId()
  return (
    <>
      <FormGroup label="The work has ended when" labelFor={`${id}-kind`}>
        <WorkKind fill id={`${id}-kind`} work={work} onChange={onChange} />
      </FormGroup>
      <WorkDetails work={work} onChange={onChange} />
    </>
  )
}

/** The sign that the work has ended. */
export function WorkKind({
  work,
  onChange,
  id,
  fill = false,
}: Props & { readonly id: string; readonly fill?: boolean }): ReactNode {
  return (
    <HTMLSelect
      id={id}
      fill={fill}
      value={work.kind}
      options={KINDS.map(kind => ({ value: kind, label: KIND_WORDS[kind] }))}
      onChange={({ currentTarget }) => {
        const kind = KINDS.find(known => known === currentTarget.value)
        if (kind !== undefined) onChange(EMPTY[kind])
      }}
    />
  )
}

/** What the sign needs: a version, a text or a Job. */
export function WorkDetails({ work, onChange }: Props): ReactNode {
  const id = useId()
  return (
    <>
      {work.kind === 'kubelet-version' ? (
        <FormGroup label="Kubelet version" labelFor={`${id}-version`}>
          <InputGroup
            id={`${id}-version`}
            value={work.version}
            placeholder="v1.31.4"
            spellCheck={false}
            onValueChange={version => onChange({ ...work, version })}
          />
        </FormGroup>
      ) : null}
      {work.kind === 'os-image' ? (
        <FormGroup label="The OS image contains" labelFor={`${id}-image`}>
          <InputGroup
            id={`${id}-image`}
            value={work.contains}
            placeholder="24.04.3"
            spellCheck={false}
            onValueChange={contains => onChange({ ...work, contains })}
          />
        </FormGroup>
      ) : null}
      {work.kind === 'job' ? (
        <>
          <FormGroup label="Namespace of the Job" labelFor={`${id}-namespace`}>
            <InputGroup
              id={`${id}-namespace`}
              value={work.namespace}
              spellCheck={false}
              onValueChange={namespace => onChange({ ...work, namespace })}
            />
          </FormGroup>
          <FormGroup
            label="Manifest of the Job"
            labelFor={`${id}-manifest`}
            helperText="YAML or JSON. It runs on each node in turn; $(NODE_NAME) is the node."
          >
            <TextArea
              id={`${id}-manifest`}
              className="mono upd-manifest"
              fill
              spellCheck={false}
              value={work.manifest}
              onChange={({ currentTarget }) => onChange({ ...work, manifest: currentTarget.value })}
            />
          </FormGroup>
        </>
      ) : null}
    </>
  )
}
