import { Link } from '@tanstack/react-router'
import { t } from '../../language/language.ts'
import { Button, buttonLook } from '../button.tsx'
import type { Place } from './form-screen.tsx'
import { deletionWords, useDeletion } from './record-action.tsx'

type Size = Parameters<typeof buttonLook>[1]

/** Leads to the form that changes what a page is about. */
export function EditLink({ to, size = 'small' }: { to: Place; size?: Size }) {
  return (
    <Link {...to} className={buttonLook('plain', size)}>
      {t('Edit')}
    </Link>
  )
}

/** Deletes what a page is about, which is called by its name alone. */
export function DeleteButton({
  name,
  size = 'small',
  ...deletion
}: Omit<Parameters<typeof useDeletion>[0], 'title' | 'said'> & {
  name: string
  size?: Size
}) {
  const { ask, question } = useDeletion({ ...deletionWords(name), ...deletion })
  return (
    <>
      <Button size={size} tone="danger" onClick={ask}>
        {t('Delete')}
      </Button>
      {question}
    </>
  )
}
