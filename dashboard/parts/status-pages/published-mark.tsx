import { CircleDashed, Globe } from 'lucide-react'
import { t } from '../../language/language.ts'

/** Whether visitors find the page: by shape and word. */
export function PublishedMark({ isPublished }: { isPublished: boolean }) {
  const Icon = isPublished ? Globe : CircleDashed
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${isPublished ? 'text-up' : 'text-soft'}`}
    >
      <Icon aria-hidden size={16} />
      {isPublished ? t('Published') : t('Not published')}
    </span>
  )
}
