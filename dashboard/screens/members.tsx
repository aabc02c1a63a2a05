import { PageHead } from '../parts/panel.tsx'

export default function Members() {
  return <PageHead title="Members" />
}
