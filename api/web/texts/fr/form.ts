import type { Texts } from '../en.ts';

export const form = {
  problem: 'Il y a un problème',
  optional: 'facultatif',
  newer: 'Plus récents',
  older: 'Plus anciens',
  pagination: 'Pages de cette liste',
  copy: 'Copier',
  copied: 'Copié',
  errors: {
    required: 'Remplissez ce champ.',
    tooLong: 'Ce texte est trop long. Raccourcissez-le.',
    invalid: 'Cette valeur n’est pas valable. Vérifiez-la et réessayez.',
    NOT_CANCELLABLE: 'Cette lettre ne peut plus être annulée : elle est partie à l’impression.',
    choose: 'Choisissez une option.',
    chooseOne: 'Choisissez au moins une option.',
    templateText: 'Corrigez les lignes indiquées au-dessus du texte.',
    templateChanged:
      'Quelqu’un d’autre a modifié ce modèle entre-temps. Copiez votre texte, rouvrez le modèle et recommencez.',
    tooManyLines: 'Il y a trop de lignes.',
    unprintable:
      'Certains caractères ne peuvent pas être imprimés. Utilisez des lettres latines, grecques ou cyrilliques.',
    logoInvalid: 'Choisissez une image PNG ou JPEG de 300 ko et de 4 000 pixels de côté au maximum.',
    belgianZip: 'Saisissez un code postal belge : quatre chiffres, de 1000 à 9999.',
    wrongSignIn: 'L’adresse e-mail ou le mot de passe est incorrect. Vérifiez-les et réessayez.',
    wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
    passwordTooShort: 'Utilisez au moins 12 caractères.',
    passwordTooLong: 'Utilisez au maximum 200 caractères.',
    passwordCommon:
      'Ce mot de passe fait partie des premiers que les pirates essaient. Choisissez quelques mots que vous seul associeriez.',
    passwordOwn:
      'Ce mot de passe est trop proche de votre adresse e-mail ou du nom de votre organisation. Choisissez-en un autre.',
    passwordsDiffer: 'Les deux mots de passe ne sont pas identiques.',
    throttled: 'Trop de tentatives. Patientez un instant, puis réessayez.',
    amount: 'Saisissez un montant en euros, par exemple 25 ou 25,50.',
    amountOutOfRange: 'Ce montant est trop petit ou trop grand.',
    numberOutOfRange: 'Ce nombre est trop petit ou trop grand.',
    WEBHOOK_DISABLED: 'Le webhook est désactivé. Activez-le d’abord.',
    DELIVERY_IN_FLIGHT: 'Cette livraison est en cours d’envoi. Revenez dans quelques secondes.',
    LIMIT_REACHED:
      'Votre organisation a atteint sa limite. Supprimez ce dont vous n’avez plus besoin ou indiquez une quantité inférieure.',
    tooManyKeys:
      'Vous avez 50 clés dans ce mode, le maximum. Révoquez une clé que vous n’utilisez plus, puis créez-en une nouvelle.',
    draftChanged:
      'La lettre a été modifiée entre-temps, ou il manque encore quelque chose. Vérifiez-la, puis envoyez-la.',
    PRICE_CHANGED: 'Le prix a changé depuis. Vérifiez le nouveau total, puis envoyez la lettre.',
    balanceShort: 'Le solde ne suffit pas pour cette lettre. Approvisionnez votre portefeuille, puis envoyez-la.',
    tooManyRecipients: 'Une lettre a au maximum 100 destinataires. Envoyez une deuxième lettre aux autres.',
    addressGone: 'Cette adresse ne figure plus dans votre carnet d’adresses.',
    templateGone: 'Ce modèle n’existe plus dans ce mode.',
    dateOver: 'Ce jour est passé. Choisissez-en un autre ou laissez le champ vide.',
    dateTooFar: 'Choisissez un jour dans les 180 prochains jours.',
    emptyFile: 'Ce fichier est vide. Choisissez-en un autre.',
    fileTooLarge: 'Ce fichier est trop grand. Choisissez-en un plus petit.',
    fileType: 'Ce type de fichier n’est pas accepté. Voyez l’indication.',
    bulkChanged: 'L’état a changé entre-temps. Rechargez la page et vérifiez.',
    bulkPrice: 'Le prix a changé depuis. Vérifiez le nouveau total.',
    documentOrTemplate: 'Choisissez un document ou un modèle, pas les deux.',
    otherMode: 'Ce modèle est de l’autre mode. Choisissez le même mode pour les deux.',
    linkExpired: 'Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau.',
  },
} satisfies Texts['form'];
