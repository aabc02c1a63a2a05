import { MIN_PASSWORD_LENGTH } from '../../../src/core/sign-in/password.ts'
import { t } from '../../language/language.ts'
import { TextField } from '../field.tsx'

/** Field for a new password. */
export function NewPasswordField({
  label,
  faults,
  className = '',
}: {
  label: string
  faults: string[] | undefined
  className?: string
}) {
  return (
    <TextField
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_LENGTH}
      hint={t(
        'At least {count} characters, and not a common password. Four random words are good; a password manager is better.',
        { count: MIN_PASSWORD_LENGTH },
      )}
      faults={faults}
      className={className}
    />
  )
}
