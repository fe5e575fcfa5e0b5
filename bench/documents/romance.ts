export const romance: Readonly<Record<string, string>> = {
  'teletravail.docx': `Charte du télétravail
## Jours autorisés
Chaque salarié peut travailler à distance deux jours par semaine, jamais le mardi, réservé aux réunions d'équipe. La demande est renouvelée chaque automne.
## Matériel
L'entreprise fournit un ordinateur portable et verse une indemnité forfaitaire de vingt-sept euros par mois pour l'électricité et l'internet. Le fauteuil reste à la charge du salarié.
## Droit à la déconnexion
Aucun message n'appelle de réponse entre dix-neuf heures et sept heures trente. Les astreintes du service de garde font exception.`,
  'securite-atelier.pdf': `Sécurité à l'atelier
## Équipement de protection
Le port des lunettes et des chaussures de sécurité est obligatoire dès la ligne jaune. Les visiteurs reçoivent un gilet bleu à l'accueil.
## Produits chimiques
Les solvants sont rangés dans l'armoire ventilée numéro trois. Tout déversement de plus d'un litre est signalé à Madame Chevalier.
## Accidents
En cas d'accident, l'infirmerie se trouve au rez-de-chaussée du bâtiment Sirène. Le registre est rempli avant la fin du poste.`,
  'catalogue-bouees.html': `Catalogue des bouées
## Bouée Mouette
La bouée Mouette mesure quatre-vingt-dix centimètres et pèse quarante-deux kilogrammes. Son feu est visible à trois milles marins.
## Bouée Albatros
La bouée Albatros porte un panneau solaire de soixante watts et une station météo. Elle résiste à des vagues de onze mètres.
## Entretien
Le carénage se fait tous les deux ans, de préférence en octobre. Les joints sont remplacés à chaque sortie de l'eau.`,
  'plan-vigo.pdf': `Planta de Vigo
## Turnos
La planta trabaja en dos turnos, de seis a catorce y de catorce a veintidós horas. El cambio de turno dura diez minutos y se paga.
## Aparcamiento
El aparcamiento cubierto tiene ciento veinte plazas. Las ocho plazas con cargador eléctrico se reservan en recepción.
## Visitas
Las visitas de clientes se anuncian con cinco días de antelación a Marta Iglesias. Está prohibido fotografiar la sala de soldadura.`,
  'politica-compras.odt': `Política de compras
## Límites
Hasta tres mil euros decide el jefe de equipo. Por encima de veinticinco mil euros hacen falta tres ofertas y la firma de la directora financiera, Lucía Ferrer.
## Proveedores nuevos
Todo proveedor nuevo rellena el cuestionario de sostenibilidad. La homologación tarda unas siete semanas.
## Pagos
Las facturas se pagan a cuarenta y cinco días. Con pago anticipado se pide un descuento del dos por ciento.`,
}
