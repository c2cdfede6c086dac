<?php
require __DIR__ . '/client.php';

$webhook = bluejay('POST', '/v1/webhooks', [
    'url' => 'http://127.0.0.1:4000/bluejay',
    'events' => ['MAIL_POSTED', 'MAIL_FAILED'],
]);
// Only this answer contains the secret. Keep it for the receiver.
echo "{$webhook['id']} {$webhook['secret']}\n";
