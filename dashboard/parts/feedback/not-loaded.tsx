import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAccount } from '../../data/account.ts'
import { Problem } from '../../data/problem.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { usePageTitle } from '../page-title.ts'
import { Empty } from '../panel.tsx'

const LOOK_AGAIN_MS = 3_000

/** The file of a screen could not be loaded because the service does not respond. */
export class NotLoaded extends Problem {
  constructor() {
    super(0, t('Not loaded'), undefined)
  }
}

const isThereQuestion = {
  queryKey: ['is-there'],
  queryFn: () => askAccount('showSignInOptions', {}),
  retry: false,
  gcTime: 0,
}

/**
 * Explains why a screen's file could not be loaded. If the service responds, an update removed the file: then the
 * router reloads the page by itself. Without the service, a reload would end at the browser's own error page.
 */
export async function explainFailedLoad(error: unknown): Promise<never> {
  await askAccount('showSignInOptions', {}).catch(() => {
    throw new NotLoaded()
  })
  throw error
}

/** Takes the screen's place until the service is back. Only a reload of the page requests the file again. */
export function NotLoadedYet() {
  const { isSuccess, isFetching, refetch } = useQuery({ ...isThereQuestion, refetchInterval: LOOK_AGAIN_MS })
  usePageTitle(t('Not loaded yet'))
  useEffect(() => {
    if (isSuccess) location.reload()
  }, [isSuccess])
  return (
    <div role="alert">
      <Empty
        title={t('This screen has not loaded yet')}
        heading="h1"
        action={
          <Button busy={isFetching} onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        }
      >
        {t('Upbeat is not responding. The screen appears as soon as it does.')}
      </Empty>
    </div>
  )
}
