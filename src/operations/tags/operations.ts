export {
  changeTags,
  getMonitorTags,
  listMonitorTags,
  listTags,
} from './tags.ts'
