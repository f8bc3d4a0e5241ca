import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { pickFiles, suggestFiles } from '../../bridge/cluster-edits.ts'
import { useConsole } from '../../stores/console.ts'

interface PathFieldProps {
  readonly kind: 'kubeconfig' | 'clouds'
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called with the paths of chosen files, after `onChange`. */
  readonly onPick?: (value: string) => void
  /** A sentence below the field. */
  readonly help?: string
  readonly isWrong?: boolean
  /** Buttons after the field. */
  readonly children?: ReactNode
}

/** A path of a file on the machine of main: typed, chosen from the usual places, or in the desktop's dialog. */
export function PathField(props: PathFieldProps): ReactNode {
  const { kind, label, value, onChange, onPick, help, isWrong = false, children } = props
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
    onPick?.(chosen)
  }
  return (
    <FormGroup
      className="addc-path"
      label={label}
      labelFor={id}
      intent={isWrong ? 'danger' : 'none'}
      helperText={help ?? (kind === 'kubeconfig' ? 'Several files: separate them with a colon.' : undefined)}
    >
      <div className="addc-row">
        <InputGroup
          id={id}
          className="addc-path mono"
          value={value}
          title={value}
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
        {children}
      </div>
    </FormGroup>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly help?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A name, typed. */
export function TextField({ label, help, value, onChange }: TextFieldProps): ReactNode {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={help}>
      <InputGroup id={id} className="mono" value={value} onValueChange={onChange} spellCheck={false} />
    </FormGroup>
  )
}
