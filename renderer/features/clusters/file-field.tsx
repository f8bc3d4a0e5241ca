import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { pickFiles, suggestFiles } from '../../bridge/cluster-edits.ts'
import { useConsole } from '../../stores/console.ts'

interface Props {
  readonly kind: 'kubeconfig' | 'clouds'
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onRead: (value: string) => void
  readonly failure: Failure | null
  readonly reading: boolean
}

/** A path, typed or chosen in the desktop's dialog, with the usual places offered. */
export function FileField({ kind, label, value, onChange, onRead, failure, reading }: Props): ReactNode {
  const picks = useConsole(store => store.description?.picksFiles ?? false)
  const [suggested, setSuggested] = useState<readonly string[]>([])
  const id = useId()
  useEffect(() => {
    void suggestFiles(kind).then(setSuggested)
  }, [kind])
  const pick = async () => {
    const answer = await pickFiles(kind)
    if (!answer.ok || answer.value.paths === null) return
    const chosen = answer.value.paths.join(':')
    onChange(chosen)
    onRead(chosen)
  }
  return (
    <FormGroup
      className="addc-path"
      label={label}
      labelFor={id}
      intent={failure === null ? 'none' : 'danger'}
      helperText={failure?.message}
    >
      <form
        className="addc-row"
        onSubmit={event => {
          event.preventDefault()
          onRead(value)
        }}
      >
        <InputGroup
          id={id}
          className="addc-path"
          value={value}
          onValueChange={onChange}
          list={`${id}-usual`}
          spellCheck={false}
          placeholder={suggested[0] ?? (kind === 'kubeconfig' ? '~/.kube/config' : '~/.config/openstack/clouds.yaml')}
        />
        <datalist id={`${id}-usual`}>
          {suggested.map(path => (
            <option key={path} value={path} />
          ))}
        </datalist>
        {picks ? <Button text="Choose…" onClick={() => void pick()} /> : null}
        <Button type="submit" text="Read" loading={reading} />
      </form>
    </FormGroup>
  )
}
