import { usableMs } from './create-upload.ts';
import { Upload } from './upload.model.ts';

/** Lets mail jobs use these uploads until `until`, if that is later: work that takes days needs them. */
export async function extendUploads(keys: readonly string[], until: Date): Promise<void> {
  await Upload.updateMany({ _id: { $in: [...keys] } }, { $max: { usableUntil: until } });
}

/** Ends an extension: the uploads are usable for 24 hours from their creation, like all others. */
export async function endExtension(keys: readonly string[]): Promise<void> {
  const usableUntil = { $add: ['$createdAt', usableMs] };
  await Upload.updateMany({ _id: { $in: [...keys] } }, [{ $set: { usableUntil } }], { updatePipeline: true });
}
