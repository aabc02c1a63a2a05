import { said } from '../language/said.ts'
import type { FieldError } from '../validation.ts'
import type { StatusPage } from './status-page.ts'

/** Settings that fit each other: what is published can be seen by those that it is for. */
export function pageFaults({ hasPassword, isPublished }: { hasPassword: boolean; isPublished: boolean }) {
  return ({ visibility, networks }: Partial<StatusPage>): FieldError[] => {
    if (visibility === 'networks' && networks?.length === 0) {
      return [{ field: 'networks', message: said('must name a network, as only networks see the page') }]
    }
    if (visibility === 'password' && isPublished && !hasPassword) {
      return [
        { field: 'visibility', message: said('must wait until the page has a password: set one first') },
      ]
    }
    return []
  }
}
