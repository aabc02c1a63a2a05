import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Fields, fieldsOf } from '../../data/form.ts'
import { faultsOf } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { OwnCodeField, OwnPasswordField } from '../../parts/accounts/own-fields.tsx'
import { Button, type Tone } from '../../parts/button.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'

type Proof = Fields<'password' | 'code'>

/** Asks for password and code before a change to two-factor sign-in. */
export function SecondFactorProof<Answer>({
  prove,
  verb,
  tone = 'main',
  onDone,
  onClose,
  children,
}: {
  prove: (proof: Proof) => Promise<Answer>
  verb: string
  tone?: Tone
  onDone: (answer: Answer) => Promise<void>
  onClose: () => void
  children: ReactNode
}) {
  const proving = useMutation({
    mutationFn: ({ password, code }: Proof) => prove({ password, code }),
    onSuccess: onDone,
  })
  const faults = faultsOf(proving.error)
  return (
    <form onSubmit={(event) => proving.mutate(fieldsOf(event))} className="flex flex-col gap-4">
      <p className="text-soft">{children}</p>
      <OwnPasswordField faults={faults.password} />
      <OwnCodeField faults={faults.code} />
      <Refused error={proving.error} shown={['password', 'code']} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" tone={tone} busy={proving.isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
